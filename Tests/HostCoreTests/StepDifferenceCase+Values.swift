import HostCore

extension StepDifferenceCase {
  static let values: [StepDifferenceCase] = [
    StepDifferenceCase(
      "a member deep inside",
      expected: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"Jaws"},{"overview":"A police chief who hates the water.","releaseDate":\#
        "Jun 20, 1975","title":"Alien"},{"overview":"A police chief who hates the water.","r\#
        eleaseDate":"Jun 20, 1975","title":"Heat"}]
        """#,
      found: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"Jaws"},{"overview":"A police chief who hates the water.","releaseDate":\#
        "Jun 20, 1975","title":"Aliens"},{"overview":"A police chief who hates the water.","\#
        releaseDate":"Jun 20, 1975","title":"Heat"}]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < items[1].title "Alien", found "Aliens"
        """#,
      text: #"""
          … 6 equal lines, in items[1]
              {
                "overview": "A police chief who hates the water.",
                "releaseDate": "Jun 20, 1975",
        -       "title": "Alien"
        +       "title": "Aliens"
              },
              {
                "overview": "A police chief who hates the water.",
          … 4 equal lines
        """#),
    StepDifferenceCase(
      "an element is missing",
      expected: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"},{"overview":"A police chief who hates the water.","releaseDate":"Ju\#
        n 20, 1975","title":"b"},{"overview":"A police chief who hates the water.","releaseD\#
        ate":"Jun 20, 1975","title":"c"}]
        """#,
      found: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"},{"overview":"A police chief who hates the water.","releaseDate":"Ju\#
        n 20, 1975","title":"c"}]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < items[1].title "b", found "c"
        """#,
      text: #"""
          … 3 equal lines, in items[1]
                "releaseDate": "Jun 20, 1975",
                "title": "a"
              },
        -     {
        -       "overview": "A police chief who hates the water.",
        -       "releaseDate": "Jun 20, 1975",
        -       "title": "b"
        -     },
              {
                "overview": "A police chief who hates the water.",
                "releaseDate": "Jun 20, 1975",
          … 3 equal lines
        """#),
    StepDifferenceCase(
      "an element is extra at the end",
      expected: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"},{"overview":"A police chief who hates the water.","releaseDate":"Ju\#
        n 20, 1975","title":"b"}]
        """#,
      found: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"},{"overview":"A police chief who hates the water.","releaseDate":"Ju\#
        n 20, 1975","title":"b"},{"overview":"A police chief who hates the water.","releaseD\#
        ate":"Jun 20, 1975","title":"c"}]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < items with 2 elements, found more
        """#,
      text: #"""
          … 8 equal lines, in items[2]
                "releaseDate": "Jun 20, 1975",
                "title": "b"
              },
        +     {
        +       "overview": "A police chief who hates the water.",
        +       "releaseDate": "Jun 20, 1975",
        +       "title": "c"
        +     }
            ]
        """#),
    StepDifferenceCase(
      "a member is extra",
      expected: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"}]
        """#,
      found: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a","year":1975}]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < items[0] without member "year", found it with
        """#,
      text: #"""
          … 2 equal lines, in items[0]
                "overview": "A police chief who hates the water.",
                "releaseDate": "Jun 20, 1975",
                "title": "a",
        +       "year": 1975
              }
            ]
        """#),
    StepDifferenceCase(
      "a member is missing",
      expected: #"""
        < labels {"emptyDataTitle":"Search results","errorTitle":"Error","screenTitle":"Movi\#
        es"}
        """#,
      found: #"""
        < labels {"emptyDataTitle":"Search results","screenTitle":"Movies"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < labels with member "errorTitle", found it without
        """#,
      text: #"""
          < labels {
              "emptyDataTitle": "Search results",
        -     "errorTitle": "Error",
              "screenTitle": "Movies"
            }
        """#),
    StepDifferenceCase(
      "another number",
      expected: #"""
        < numbers {"first":[1,2,3],"second":{"aVeryLongNameIndeed":12,"another":"value"}}
        """#,
      found: #"""
        < numbers {"first":[1,2,3],"second":{"aVeryLongNameIndeed":123,"another":"value"}}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < numbers.second.aVeryLongNameIndeed 12, found 123
        """#,
      text: #"""
          < numbers {
              "first": [1, 2, 3],
              "second": {
        -       "aVeryLongNameIndeed": 12,
        +       "aVeryLongNameIndeed": 123,
                "another": "value"
              }
            }
        """#),
    StepDifferenceCase(
      "null where a container was expected",
      expected: #"""
        < items null
        """#,
      found: #"""
        < items [{"overview":"A police chief who hates the water.","releaseDate":"Jun 20, 19\#
        75","title":"a"}]
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < items null, found < items [{"overview":"A police chief who hates the wate\#
        r.","releaseD…
        """#,
      text: #"""
        - < items null
        + < items [
        +     {
        +       "overview": "A police chief who hates the water.",
        +       "releaseDate": "Jun 20, 1975",
        +       "title": "a"
        +     }
        +   ]
        """#),
    StepDifferenceCase(
      "a name that is no word",
      expected: #"""
        < labels {"a b":{"x":"a value that makes this long"},"b":"another value to make it l\#
        ong"}
        """#,
      found: #"""
        < labels {"a b":{"x":"a value that makes this longer"},"b":"another value to make it\#
         long"}
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < labels["a b"].x "a value that makes this long", found "a value that makes\#
         this longer"
        """#,
      text: #"""
          < labels {
              "a b": {
        -       "x": "a value that makes this long"
        +       "x": "a value that makes this longer"
              },
              "b": "another value to make it long"
            }
        """#),
    StepDifferenceCase(
      "a long string",
      expected: #"""
        < query "abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc\#
         abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc\#
         abc abc abc abc abc abc abc abc abc abc xdef def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def "
        """#,
      found: #"""
        < query "abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc\#
         abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc\#
         abc abc abc abc abc abc abc abc abc abc ydef def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def "
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < query …c abc abc abc abc abc abc abc xdef def def def def def def d…, fou\#
        nd < query …c abc abc abc abc abc abc abc ydef def def def def def def d…
        """#,
      text: #"""
        - < query …c abc abc abc abc abc abc abc xdef def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def def …
        + < query …c abc abc abc abc abc abc abc ydef def def def def def def def def def de\#
        f def def def def def def def def def def def def def def def def def def def …
                                                 ^
        """#),
    StepDifferenceCase(
      "a line of middling length",
      expected: #"""
        < message "The quick brown fox jumps over the lazy dog, and runs away."
        """#,
      found: #"""
        < message "The quick brown fox jumps over the crazy dog, and runs away."
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < message "The quick brown fox jumps over the lazy dog, and runs away.", fo\#
        und < message "The quick brown fox jumps over the crazy dog, and runs away."
        """#,
      text: #"""
        - < message "The quick brown fox jumps over the lazy dog, and runs away."
        + < message "The quick brown fox jumps over the crazy dog, and runs away."
                                                        ^
        """#),
    StepDifferenceCase(
      "one letter, two ways of writing it",
      expected: #"""
        < query "cafe\#u{301}"
        """#,
      found: #"""
        < query "caf\#u{e9}"
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < query "cafe\u0301", found < query "caf\u00e9"
        """#,
      text: #"""
        - < query "cafe\u0301"
        + < query "caf\u00e9"
        """#),
    StepDifferenceCase(
      "characters that nobody sees",
      expected: #"""
        < query "a\#u{7f}b"
        """#,
      found: #"""
        < query "a\#u{85}\#u{202e}b"
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < query "a\u007fb", found < query "a\u0085\u202eb"
        """#,
      text: #"""
        - < query "a\u007fb"
        + < query "a\u0085\u202eb"
        """#),
    StepDifferenceCase(
      "a blank that isn't one",
      expected: #"""
        < query "a b"
        """#,
      found: #"""
        < query "a\#u{a0}b"
        """#,
      kind: .mismatch, line: 11,
      summary: #"""
        expected < query "a b", found < query "a\u00a0b"
        """#,
      text: #"""
        - < query "a b"
        + < query "a\u00a0b"
        """#),
  ]
}
