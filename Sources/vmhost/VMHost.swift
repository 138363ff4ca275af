import HostCore

/// The program: reads its arguments, runs a command, ends with its status.
@main
struct VMHost {
  static func main() {
    do { try Descriptor.openStandardOnes() } catch { end(Failure(error).outcome) }
    let width = HelpText.width(columns: Environment.value("COLUMNS"))
    let style = Style(
      isTerminal: Descriptor.isTerminal(Descriptor.standardError), variable: Environment.value)
    do throws(UsageError) {
      switch try CommandTable.vmhost.parse(Array(CommandLine.arguments.dropFirst()), width: width) {
      case .answer(let text): end(print(text))
      case .overview(let text):
        complain(text)
        end(.usage)
      case .command(let arguments):
        do throws(Failure) {
          end(try run(arguments))
        } catch {
          if !error.message.isEmpty { complain("\(style.error("vmhost:")) \(error.message)\n") }
          end(error.outcome)
        }
      }
    } catch {
      complain("\(style.error("vmhost:")) \(error)\n")
      end(.usage)
    }
  }

  private static func run(_ arguments: ParsedArguments) throws(Failure) -> Outcome {
    switch arguments.command.name {
    case "run": try RunCommand.run(arguments)
    default: try DescribeCommand.run(arguments)
    }
  }

  private static func print(_ text: String) -> Outcome {
    do throws(SystemError) {
      try Descriptor.write(Descriptor.standardOutput, Array(text.utf8).span)
      return .success
    } catch {
      return Failure(error).outcome
    }
  }

  /// Standard error is the last resort: nobody is left to tell if it fails.
  static func complain(_ text: String) {
    try? Descriptor.write(Descriptor.standardError, Array(text.utf8).span)
  }

  private static func end(_ outcome: Outcome) -> Never {
    if case .signal(let number) = outcome { Exit.bySignal(number) }
    Exit.now(outcome.status)
  }
}
