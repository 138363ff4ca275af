import Foundation
import FuzzTargets
import TestSupport
import Testing

struct CorpusTests {
  private static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
    let folder = try "\(Repository.root())/Fuzz/Corpus/\(target.rawValue)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      return (name, Array(data))
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `what fuzzers begin with holds, whole and cut anywhere`(_ target: FuzzTarget) throws {
    let inputs = try Self.inputs(of: target)
    #expect(!inputs.isEmpty)
    for (name, bytes) in inputs {
      for end in 0...bytes.count {
        #expect(throws: Never.self, "\(name), \(end) bytes") {
          try target.check(Array(bytes[..<end]))
        }
      }
    }
  }

  @Test func `every folder of inputs is a target's`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root())/Fuzz/Corpus")
    #expect(folders.sorted() == FuzzTarget.allCases.map(\.rawValue).sorted())
  }
}
