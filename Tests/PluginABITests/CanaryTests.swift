import PluginABI
import Testing

/// Plugins written against the header alone, called through it: what a C and a C++ author see is
/// what Swift sees.
struct CanaryTests {
  @Test(arguments: [CanaryPlugin.c, CanaryPlugin.cxx])
  func `a table is what the header says`(_ canary: CanaryPlugin?) throws {
    let canary = try #require(canary)
    #expect(canary.magic == VM_PLUGIN_MAGIC)
    #expect(canary.size == 64)
    #expect(canary.version == [1, 0])
    #expect(canary.flags == 0)
    #expect(canary.manifest == "{\"id\":\"canary\"}")
    #expect(canary.hasExtension(""))
    #expect(!canary.hasExtension("vm.nothing"))
  }

  @Test(arguments: [CanaryPlugin.c, CanaryPlugin.cxx])
  func `a refusal has a status and words`(_ canary: CanaryPlugin?) throws {
    let canary = try #require(canary)
    let nameless = canary.create(viewModel: "", locale: "en", seed: 0, epoch: 0, time: 0)
    #expect(nameless.instance == nil)
    #expect(nameless.status == VM_E_VIEW_MODEL)
    #expect(nameless.words == "")
    let bare = canary.create(viewModel: "canary", locale: "", seed: 0, epoch: 0, time: 0)
    #expect(bare.instance == nil)
    #expect(bare.status == VM_E_CONFIG)
    #expect(bare.words == "no config")
  }

  @Test(arguments: [CanaryPlugin.c, CanaryPlugin.cxx])
  func `all that is in an event and in a create info arrives`(_ canary: CanaryPlugin?) throws {
    let canary = try #require(canary)
    let made = canary.create(viewModel: "canary", locale: "en_US", seed: 40, epoch: 2, time: 1)
    #expect(made.status == VM_OK)
    let instance = try #require(made.instance)

    #expect(instance.send(VM_INPUT, name: "say", json: "1") == VM_OK)
    #expect(instance.send(VM_INPUT, name: "", json: "1") == VM_E_NAME)
    #expect(instance.send(VM_INPUT, name: "say", json: "") == VM_E_VALUE)
    #expect(instance.send(VM_REPLY, id: 43, name: "http", json: "") == VM_OK)
    #expect(instance.send(VM_ERROR, id: 1, name: "http", json: "{}") == VM_E_ID)
    #expect(instance.send(VM_OUTPUT, name: "say", json: "1") == VM_E_KIND)

    for kind in [VM_OUTPUT, VM_REQUEST, VM_CANCEL, VM_LOG, VM_FAULT] {
      let event = CanaryInstance.Event(kind: kind, id: 43, name: "name", json: "null")
      #expect(instance.poll() == event)
    }
    #expect(instance.poll() == nil)
  }
}
