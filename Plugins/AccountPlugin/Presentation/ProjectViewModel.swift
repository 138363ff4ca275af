import ViewModelKit

/// Shows whose project this is.
final class ProjectViewModel: ViewModel {
  static let id = "account.project"

  /// Send the project as soon as it is known, before or after `viewDidLoad`.
  let configureWith = Input<ProjectParams>()
  let projectTapped = Input<NoValue>()
  /// Send once the view is there.
  let viewDidLoad = Input<NoValue>()

  let creatorName = Signal<String>()
  let projectName = Signal<String>()
  let projectNameHidden = Signal<Bool>()
  /// Emits the latest project.
  let goToDiscovery = Signal<ProjectParams>()

  private var project: ProjectParams?

  func start(_ context: Context<NoConfig>) {
    // Nothing listens to viewDidLoad: there is nothing to show before there is a project.
    configureWith.on { project in
      self.project = project
      self.creatorName.emit(project.creator.name)
      self.projectName.emit(project.name)
      self.projectNameHidden.emit(false)
    }
    projectTapped.on {
      guard let project = self.project else { return }
      self.goToDiscovery.emit(project)
    }
  }
}
