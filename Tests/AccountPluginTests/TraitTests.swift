import Testing

@testable import AccountPlugin

private struct Header: HeaderTextPresentable, ImagePresentable {}
private struct Field: TextFieldPresentable {}
private struct NameField: TextPresentable, TextFieldPresentable {
  let text = "Name"
  let placeholder = "Ann"
}

/// What the traits give to whoever composes them. The two cells of `account.settings` don't need
/// all of them, so that no port shows these.
@Suite struct TraitTests {
  @Test func `a header is blue and else as any text`() {
    let header = Header()
    #expect(header.textColor == .blue)
    #expect(header.text == "")
    #expect(header.font == "system 17.0")
    #expect(header.imageName == nil)
  }

  @Test func `a header is blue for those, too, who only know that it has a text`() {
    let text: any TextPresentable = Header()
    #expect(text.textColor == .blue)
  }

  @Test func `a field begins empty and without a placeholder`() {
    #expect(Field().placeholder == "")
    #expect(Field().fieldText == "")
  }

  @Test func `a cell composes traits and overrides what it likes`() {
    let field = NameField()
    #expect(field.placeholder == "Ann")
    #expect(field.fieldText == "")
    #expect(field.text == "Name")
    #expect(field.textColor == .black)
  }
}
