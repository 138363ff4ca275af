// The plugin `kitfixture`, on which tests try every feature of the kit through the built library.
//
// kit.ports    One input, one state and one echo signal for each kind of value, no requests.
//              Inputs setText(string), setNumber(integer), setAmount(number), setFlag(bool),
//              setMaybe(string or null), setList([string]), setPoint({"x","y"?}),
//              setAny(any JSON), tap(no value). Each sets the state without "set": text "",
//              number 0, amount 0.5, flag false (distinct), maybe null, list [], point
//              {"x":0}, any null. `tap` emits the signal `tapped`, without value. `setText` also
//              emits the signal `said`, after the state.
// kit.works    Inputs latest, queued, ignored, debounced, each a string NAME, run
//              in a work of that policy: signal `began` NAME, timer of 1 s, signal `ended` NAME.
//              `debounced` is latest and waits 300 ms first. `cancel` cancels all, then emits the
//              state `busy` (distinct, false). `group`: three timers of 1, 2 and 3 s at once, each
//              emits `ended` when it fires. `yields` (integer N): N yields, then `ended` "yields".
// kit.effects  Inputs get(url), post({"city"}), storageGet(key), storageSet({"key","value"}),
//              storageDelete(key), storageList(prefix), locate({"city"}), ping. Each calls its
//              effect (http, storage.*, geo.locate, ping), queued, and emits the result as the
//              signal `result`, a string, or `failed` {"code","message"}. storageSpin asks the
//              storage for ever.
// kit.faults   Inputs throwNow, throwLater (after a timer of 1 s), throwTwice (two handlers), fine.
//              `fine` emits the signal `ok`. `log` (string) logs it at each level. `trap` (integer)
//              emits `ok` too, and traps if it isn't 0, 1 or 2.
// kit.random   Config {"sides":6,"label":null}. Input roll(count): signal `rolled`, an array of
//              numbers from 1 to sides. Input where: signal `place`
//              {"locale","timeZone","epoch","now"}, now in milliseconds. State `sides`.
// kit.ticker Input start: from then on the signal `ticked` each second, for ever, counting from 1.
// kit.login  Config {"user":"me","password":"$secret:password"}. Input login(url): asks for it
//            with both in headers, in base64, and emits the signal `result`: the status, and what
//            it sent.
// kit.reminders  Inputs remind([KEY]): a timer of 10 ms for each key, all at once; when it ends,
//            the key is read, and the signal `reminded` says "KEY is VALUE" or "KEY is nothing".
//            remindInTurn([KEY]): the same one after the other, with timers of 0 s. ping(count):
//            so many timers of 10 ms at once; when it ends, each asks for ping, then says "pong".
public import ViewModelKit

let plugin = Plugin(
  id: "kitfixture", version: "1.0.0", KitPorts.self, KitWorks.self, KitEffects.self,
  KitFaults.self, KitRandom.self, KitTicker.self, KitLogin.self, KitReminders.self)

@c(vm_plugin_entry_v1) public func pluginEntry() -> PluginEntry { plugin.entry }
