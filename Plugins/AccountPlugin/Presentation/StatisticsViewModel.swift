import ViewModelKit

/// Shows how many people registered in a period that the user picks.
final class StatisticsViewModel: ViewModel {
  typealias Config = AccountConfig

  static let id = "account.statistics"

  /// Send when the user asks for the figures; nothing is fetched before the first time.
  let refresh = Input<NoValue>()
  /// Send what the user picked. Once both inputs have come, either of them fetches.
  let dateTypeAndDate = Input<StatisticsQuery>()

  let loading = State(false, .distinct)
  /// What was fetched last; a failure leaves it.
  let result = State<StatisticsResult?>(nil)
  /// Emits why nothing was fetched, in words.
  let error = Signal<String>()

  let http = HTTP()

  let load = Work(.latest)

  func start(_ context: Context<AccountConfig>) {
    let statistics = AccountComposition.statistics(config: context.config, http: http)
    CombineLatest(refresh, dateTypeAndDate).start(load) { _, query in
      self.loading.value = true
      do {
        let registrations = try await statistics.registrations(in: query.period)
        self.result.value = StatisticsResult(registrations)
      } catch is StatisticsUnavailable {
        self.error.emit("Could not load statistics")
      }
      self.loading.value = false
    }
  }
}
