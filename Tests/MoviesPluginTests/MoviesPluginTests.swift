import Testing

/// All tests of the plugin. They share one loaded library, whose calls must not overlap.
@Suite(.serialized) enum MoviesPluginTests {}
