import HostCore

extension StepDifferenceCase {
  static let outputs: [StepDifferenceCase] = [
    StepDifferenceCase(
      "another value",
      expected: #"""
        < items []
        < loading "none"
        < query ""
        """#,
      found: #"""
        < items []
        < loading "fullScreen"
        < query ""
        """#,
      kind: .mismatch, line: 12,
      summary: #"""
        expected < loading "none", found < loading "fullScreen"
        """#,
      text: #"""
          < items []
        - < loading "none"
        + < loading "fullScreen"
          < query ""
        """#),
    StepDifferenceCase(
      "an output is missing",
      expected: #"""
        < items []
        < loading "none"
        < query ""
        """#,
      found: #"""
        < items []
        < query ""
        """#,
      kind: .missing, line: 12,
      summary: #"""
        expected < loading "none", but it was not emitted
        """#,
      text: #"""
          < items []
        - < loading "none"
          < query ""
        """#),
    StepDifferenceCase(
      "an output is extra",
      expected: #"""
        < items []
        < query ""
        """#,
      found: #"""
        < items []
        < loading "none"
        < query ""
        """#,
      kind: .extra, line: 11,
      summary: #"""
        found < loading "none", which no line expects
        """#,
      text: #"""
          < items []
        + < loading "none"
          < query ""
        """#),
    StepDifferenceCase(
      "nothing was expected",
      expected: "",
      found: #"""
        < items []
        < done
        """#,
      kind: .extra, line: 10,
      summary: #"""
        found < items [], which no line expects (and 1 more difference)
        """#,
      text: #"""
        + < items []
        + < done
        """#),
    StepDifferenceCase(
      "nothing was found",
      expected: #"""
        < items []
        < done
        """#,
      found: "",
      kind: .missing, line: 11,
      summary: #"""
        expected < items [], but it was not emitted (and 1 more difference)
        """#,
      text: #"""
        - < items []
        - < done
        """#),
    StepDifferenceCase(
      "an output comes later",
      expected: #"""
        < a 1
        < b 2
        < c 3
        """#,
      found: #"""
        < b 2
        < a 1
        < c 3
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < a 1 here, found it later (and 1 more difference)
        """#,
      text: #"""
        - < a 1
          < b 2
        + < a 1
          < c 3
        """#),
    StepDifferenceCase(
      "an output comes earlier",
      expected: #"""
        < b 2
        < c 3
        < a 1
        < d 4
        """#,
      found: #"""
        < a 1
        < b 2
        < c 3
        < d 5
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        found < a 1 earlier than expected in line 13 (and 2 more differences)
        """#,
      text: #"""
        + < a 1
          < b 2
          < c 3
        - < a 1
        - < d 4
        + < d 5
        """#),
    StepDifferenceCase(
      "another port",
      expected: #"""
        < a 1
        """#,
      found: #"""
        < b 1
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < a 1, found < b 1
        """#,
      text: #"""
        - < a 1
        + < b 1
        """#),
    StepDifferenceCase(
      "another instance",
      expected: #"""
        < list.a 1
        """#,
      found: #"""
        < details.a 1
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < list.a 1, found < details.a 1
        """#,
      text: #"""
        - < list.a 1
        + < details.a 1
        """#),
    StepDifferenceCase(
      "another time",
      expected: #"""
        < @240ms items []
        """#,
      found: #"""
        < @300ms items []
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < @240ms items, found < @300ms items with the same value
        """#,
      text: #"""
        - < @240ms items []
        + < @300ms items []
        """#),
    StepDifferenceCase(
      "another time and value",
      expected: #"""
        < @240ms items []
        """#,
      found: #"""
        < @300ms items [1]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < @240ms items [], found < @300ms items [1]
        """#,
      text: #"""
        - < @240ms items []
        + < @300ms items [1]
        """#),
    StepDifferenceCase(
      "no value where one was expected",
      expected: #"""
        < done 1
        """#,
      found: #"""
        < done
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < done 1, found < done without a value
        """#,
      text: #"""
        - < done 1
        + < done
        """#),
    StepDifferenceCase(
      "equal lines are left out",
      expected: #"""
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < a 1
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < b 1
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        """#,
      found: #"""
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < a 2
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        < b 2
        < n 1
        < n 2
        < n 3
        < n 4
        < n 5
        < n 6
        """#,
      kind: .mismatch, line: 17,
      summary: #"""
        expected < a 1, found < a 2 (and 1 more difference)
        """#,
      text: #"""
          … 3 equal lines
          < n 4
          < n 5
          < n 6
        - < a 1
        + < a 2
          < n 1
          < n 2
          < n 3
          … 6 equal lines
          < n 4
          < n 5
          < n 6
        - < b 1
        + < b 2
          < n 1
          < n 2
          < n 3
          … 3 equal lines
        """#),
  ]
}
