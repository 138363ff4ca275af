extension CatalogueFilm {
  /// The catalogue's films of the 1980s, oldest first.
  static let from1980: [CatalogueFilm] = [
    CatalogueFilm(
      "1980-05-21", "The Empire Strikes Back", .scienceFiction,
      "Scattered after a lost battle, the rebels learn patience, betrayal and a family secret."),
    CatalogueFilm(
      "1980-05-23", "The Shining", nil,
      "A writer takes his family to look after an empty hotel, which looks after him."),
    CatalogueFilm(
      "1980-06-20", "The Blues Brothers", nil,
      "Two brothers in dark glasses put their band together again, on a mission."),
    CatalogueFilm(
      "1981-06-12", "Raiders of the Lost Ark", .adventure,
      "An archaeologist with a whip races an army to a chest nobody should open."),
    CatalogueFilm(
      "1982-06-04", "Star Trek II: The Wrath of Khan", .scienceFiction,
      "An exile with a long memory steals a ship to settle with the captain who left him."),
    CatalogueFilm(
      "1982-06-11", "E.T. the Extra-Terrestrial", .scienceFiction,
      "A boy hides a stranded visitor in his wardrobe and helps him to phone home."),
    CatalogueFilm(
      "1982-06-25", "Blade Runner", .scienceFiction,
      "A tired policeman hunts four runaways who only want to live longer."),
    CatalogueFilm(
      "1982-06-25", "The Thing", .scienceFiction,
      "At an Antarctic station any man may no longer be the man he looks like."),
    CatalogueFilm(
      "1982-07-09", "Tron", .scienceFiction,
      "A programmer is pulled inside a computer, where the games are played for life."),
    CatalogueFilm(
      "1982-12-17", "The Dark Crystal", .adventure,
      "The last two of their people carry a missing shard back to where it belongs."),
    CatalogueFilm(
      "1983-05-25", "Return of the Jedi", .scienceFiction,
      "A rescue in the desert and a battle above a forest moon decide an empire's fate."),
    CatalogueFilm(
      "1983-10-21", "The Right Stuff", nil,
      "Test pilots become the first Americans to be shot into space."),
    CatalogueFilm(
      "1984-05-23", "Indiana Jones and the Temple of Doom", .adventure,
      "A village asks for its stolen stone back, which lies below a palace."),
    CatalogueFilm(
      "1984-06-01", "Star Trek III: The Search for Spock", .scienceFiction,
      "A crew gives up its ship and its careers to bring one friend home."),
    CatalogueFilm(
      "1984-06-08", "Ghostbusters", nil,
      "Three scholars without a university go into business against the dead."),
    CatalogueFilm(
      "1984-07-13", "The Last Starfighter", .scienceFiction,
      "A teenager beats an arcade game and finds that it was a recruiting test."),
    CatalogueFilm(
      "1984-07-20", "The NeverEnding Story", .adventure,
      "A boy hiding from bullies reads a book that begins to read him."),
    CatalogueFilm(
      "1984-10-26", "The Terminator", .scienceFiction,
      "A machine comes back in time to kill a waitress who has done nothing yet."),
    CatalogueFilm(
      "1984-12-14", "Starman", .scienceFiction,
      "A visitor borrows the shape of a widow's husband and needs a ride to Arizona."),
    CatalogueFilm(
      "1985-02-15", "The Breakfast Club", nil,
      "Five pupils with nothing in common share a Saturday of detention."),
    CatalogueFilm(
      "1985-06-07", "The Goonies", .adventure,
      "Children about to lose their homes follow a pirate's map under the town."),
    CatalogueFilm(
      "1985-07-03", "Back to the Future", .scienceFiction,
      "Stuck thirty years back, a teenager has to make his own parents fall in love."),
    CatalogueFilm(
      "1986-07-18", "Aliens", .scienceFiction,
      "The lone survivor goes back to the planet, this time with marines."),
    CatalogueFilm(
      "1986-11-26", "Star Trek IV: The Voyage Home", .scienceFiction,
      "A crew travels to old San Francisco to fetch two whales that can save the Earth."),
    CatalogueFilm(
      "1987-06-12", "Predator", .scienceFiction,
      "A rescue team in the jungle finds that it is being hunted for sport."),
    CatalogueFilm(
      "1987-07-17", "RoboCop", .scienceFiction,
      "A murdered policeman is rebuilt as a product and begins to remember."),
    CatalogueFilm(
      "1987-09-25", "The Princess Bride", .adventure,
      "A farm hand turned pirate comes back for his love, who is about to marry a prince."),
    CatalogueFilm(
      "1988-05-20", "Willow", .adventure,
      "A small farmer with a little magic guards a baby whom a queen wants dead."),
    CatalogueFilm(
      "1989-05-24", "Indiana Jones and the Last Crusade", .adventure,
      "Looking for the Grail, a son first has to find his father."),
    CatalogueFilm(
      "1989-06-09", "Star Trek V: The Final Frontier", .scienceFiction,
      "A ship is hijacked by a believer who wants to meet his maker."),
    CatalogueFilm(
      "1989-06-23", "Batman", .adventure,
      "A masked guardian of Gotham City meets a grinning criminal he once let fall."),
    CatalogueFilm(
      "1989-08-09", "The Abyss", .scienceFiction,
      "Divers sent down to a lost submarine meet something living in the deep."),
    CatalogueFilm(
      "1989-11-17", "The Little Mermaid", nil,
      "A sea king's daughter trades her voice for a pair of legs."),
    CatalogueFilm(
      "1989-11-22", "Back to the Future Part II", .scienceFiction,
      "A sports almanac from tomorrow spoils yesterday, and someone has to get it back."),
  ]
}
