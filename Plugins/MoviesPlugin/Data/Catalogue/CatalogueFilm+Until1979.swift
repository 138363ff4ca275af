extension CatalogueFilm {
  /// The catalogue's films up to 1979, oldest first.
  static let until1979: [CatalogueFilm] = [
    CatalogueFilm(
      "1931-11-21", "Frankenstein", .scienceFiction,
      "A doctor gives life to a body he has sewn together, and then wants no part of it."),
    CatalogueFilm(
      "1938-05-14", "The Adventures of Robin Hood", .adventure,
      "An outlawed archer and his band make Sherwood Forest too hot for a usurping prince."),
    CatalogueFilm(
      "1939-08-25", "The Wizard of Oz", .adventure,
      "A Kansas farm girl follows a yellow road through a land of colour to find the way home."),
    CatalogueFilm(
      "1954-12-23", "20,000 Leagues Under the Sea", .adventure,
      "Three castaways learn that the monster sinking warships is a submarine with a grudge."),
    CatalogueFilm(
      "1963-07-04", "The Great Escape", .adventure,
      "Prisoners of war dig three tunnels at once, under the noses of their guards."),
    CatalogueFilm(
      "1967-10-18", "The Jungle Book", .adventure,
      "A boy raised by wolves is walked home through the jungle by a panther and a bear."),
    CatalogueFilm(
      "1967-12-29", "The Good, the Bad and the Ugly", nil,
      "Three gunmen who trust nobody need each other to find a grave full of gold."),
    CatalogueFilm(
      "1968-04-03", "2001: A Space Odyssey", .scienceFiction,
      "A black slab on the Moon sends a crew to Jupiter with a computer that can't be wrong."),
    CatalogueFilm(
      "1968-04-03", "Planet of the Apes", .scienceFiction,
      "An astronaut lands on a world where apes talk and people are kept in cages."),
    CatalogueFilm(
      "1972-03-24", "The Godfather", nil,
      "The son who wanted nothing to do with the family business ends up running it."),
    CatalogueFilm(
      "1973-12-25", "The Sting", nil,
      "Two con men build a whole false betting parlour to ruin one gangster."),
    CatalogueFilm(
      "1973-12-26", "The Exorcist", nil,
      "A mother runs out of doctors for her daughter and sends for two priests."),
    CatalogueFilm(
      "1974-12-20", "The Godfather Part II", nil,
      "A father's rise and his son's decline are told side by side, forty years apart."),
    CatalogueFilm(
      "1975-06-20", "Jaws", .adventure,
      "A police chief who hates the water goes out on it to stop a shark."),
    CatalogueFilm(
      "1976-06-23", "Logan's Run", .scienceFiction,
      "In a domed city nobody grows older than thirty, and one of its enforcers runs."),
    CatalogueFilm(
      "1977-05-25", "Star Wars", .scienceFiction,
      "A farm boy, a smuggler and two droids carry stolen plans away from an empire."),
    CatalogueFilm(
      "1977-08-03", "The Spy Who Loved Me", .adventure,
      "Two rival agents share one search for a pair of missing submarines."),
    CatalogueFilm(
      "1977-11-16", "Close Encounters of the Third Kind", .scienceFiction,
      "A repairman can't stop shaping a mountain out of whatever is at hand."),
    CatalogueFilm(
      "1978-12-15", "Superman", .scienceFiction,
      "The last son of a lost planet takes a job at a newspaper and keeps a cape beneath."),
    CatalogueFilm(
      "1979-05-25", "Alien", .scienceFiction,
      "The crew of a space tug answers a signal and brings something back aboard."),
    CatalogueFilm(
      "1979-12-07", "Star Trek: The Motion Picture", .scienceFiction,
      "An old crew meets a vast cloud that is on its way to Earth to ask one question."),
  ]
}
