import Testing
import ViewModelKit

@Suite struct DistinctTests {
  @Test func `the first value is accepted, and of equal ones in a row only the first`() {
    var distinct = Distinct<Int>()
    let accepted = [1, 1, 2, 2, 1, 1].map { distinct.accepts($0) }
    #expect(accepted == [true, false, true, false, true, false])
    #expect(distinct.last == 1)
  }

  @Test func `the last value is what was accepted last, if anything was`() {
    var distinct = Distinct<String>()
    #expect(distinct.last == nil)
    let accepted = distinct.accepts("swift")
    #expect(accepted)
    #expect(distinct.last == "swift")
  }

  @Test func `one that begins with a value accepts that value only after another`() {
    var distinct = Distinct(1)
    let accepted = [1, 2, 1].map { distinct.accepts($0) }
    #expect(accepted == [false, true, true])
    var optional = Distinct<Int?>(nil)
    let acceptsNil = optional.accepts(nil)
    #expect(!acceptsNil)
  }

  @Test func `nil is a value like any other`() {
    var distinct = Distinct<Int?>()
    let accepted = [nil, nil, 1, nil].map { distinct.accepts($0) }
    #expect(accepted == [true, false, true, true])
  }

  @Test func `after a reset the same value is accepted again`() {
    var distinct = Distinct<Int>()
    var accepted = [distinct.accepts(1)]
    distinct.reset()
    #expect(distinct.last == nil)
    accepted += [distinct.accepts(1), distinct.accepts(1)]
    #expect(accepted == [true, true, false])
  }
}
