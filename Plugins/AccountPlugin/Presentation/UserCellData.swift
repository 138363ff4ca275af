/// What a cell needs to know of whomever it shows; no model's type.
protocol UserCellData {
  var name: String { get }
  var age: Int { get }
}
