import HostCore

/// The program: it reads its arguments, runs a command, and ends with its status.
@main
struct VMHost {
  static func main() {
    do { try Descriptor.openMissingStandardDescriptors() } catch { end(Failure(error).outcome) }
    let arguments = ProgramArguments.all
    if arguments.count > 1, arguments[0] == "vmhost", arguments[1] == WorkerEntry.argument {
      // vmhost starts itself again for each confined plugin.
      WorkerProgram.run(Array(arguments.dropFirst()))
    }
    do { try Signals.handle() } catch { end(Failure(error).outcome) }
    let standby = StandbyWorker.start(for: arguments.dropFirst())
    let width = HelpText.width(columns: Environment.value("COLUMNS"))
    do throws(UsageError) {
      switch try CommandTable.vmhost.parse(Array(arguments.dropFirst()), width: width) {
      case .answer(let text): end(print(text))
      case .versions: end(printVersions())
      case .overview(let text):
        Console.complain(text)
        end(.usage)
      case .command(let arguments):
        do throws(Failure) {
          end(try run(arguments, standby))
        } catch {
          Console.complain(error)
          end(error.outcome)
        }
      }
    } catch {
      Console.complain(Failure(.usage, error.description))
      end(.usage)
    }
  }

  private static func run(
    _ arguments: ParsedArguments, _ standby: StandbyWorker?
  ) throws(Failure) -> Outcome {
    switch arguments.command.name {
    case "new": try NewCommand.run(arguments)
    case "run": try RunCommand.run(arguments, standby)
    case "inspect": try InspectCommand.run(arguments)
    case "replay": try ReplayCommand.run(arguments)
    case "view": try ViewCommand.run(arguments)
    case "test": try TestCommand.run(arguments)
    case "lock": try LockCommand.run(arguments)
    case "doctor": try DoctorCommand.run()
    case "merge-reports": try MergeReportsCommand.run(arguments)
    case "completions": try CompletionsCommand.run(arguments)
    case "manual": try ManualCommand.run(arguments)
    case "complete": CompleteCommand.run(arguments)
    default: try DescribeCommand.run(arguments)
    }
  }

  private static func printVersions() -> Outcome {
    do throws(SystemError) { return print(try VersionReport.line()) } catch {
      let failure = Failure(error)
      Console.complain(failure)
      return failure.outcome
    }
  }

  private static func print(_ text: String) -> Outcome {
    do throws(SystemError) {
      try Descriptor.write(Descriptor.standardOutput, Array(text.utf8).span)
      return .success
    } catch {
      let failure = Failure(error)
      if !failure.message.isEmpty { Console.complain("vmhost: \(failure.message)\n") }
      return failure.outcome
    }
  }

  private static func end(_ outcome: Outcome) -> Never {
    if case .signal(let number) = outcome { Exit.bySignal(number) }
    Exit.now(outcome.status)
  }
}
