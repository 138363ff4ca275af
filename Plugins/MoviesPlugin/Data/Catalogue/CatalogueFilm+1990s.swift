extension CatalogueFilm {
  /// The catalogue's films of the 1990s, oldest first.
  static let from1990: [CatalogueFilm] = [
    CatalogueFilm(
      "1990-03-02", "The Hunt for Red October", nil,
      "A captain steals his own silent submarine, and both navies want to know why."),
    CatalogueFilm(
      "1990-05-25", "Back to the Future Part III", .scienceFiction,
      "The last trip leads to the old West, where the car has run out of fuel."),
    CatalogueFilm(
      "1990-06-01", "Total Recall", .scienceFiction,
      "A builder buys a false memory of Mars and finds a true one in its place."),
    CatalogueFilm(
      "1991-02-14", "The Silence of the Lambs", nil,
      "A trainee asks one imprisoned killer to help her to find another."),
    CatalogueFilm(
      "1991-07-03", "Terminator 2: Judgment Day", .scienceFiction,
      "This time the machine is sent to protect the boy, from something newer."),
    CatalogueFilm(
      "1991-11-22", "Beauty and the Beast", nil,
      "A reader takes her father's place in an enchanted castle."),
    CatalogueFilm(
      "1991-12-06", "Star Trek VI: The Undiscovered Country", .scienceFiction,
      "Two old enemies are about to make peace, and somebody would rather not."),
    CatalogueFilm(
      "1992-06-19", "Batman Returns", .adventure,
      "One winter Gotham has a penguin running for mayor and a cat on its roofs."),
    CatalogueFilm(
      "1992-09-25", "The Last of the Mohicans", .adventure,
      "A scout and his adopted family lead two sisters through a colonial war."),
    CatalogueFilm(
      "1993-06-11", "Jurassic Park", .scienceFiction,
      "The fences fail on the opening weekend of a park of living dinosaurs."),
    CatalogueFilm(
      "1993-08-06", "The Fugitive", nil,
      "A doctor on the run looks for the man who did what he was sentenced for."),
    CatalogueFilm(
      "1993-10-29", "The Nightmare Before Christmas", nil,
      "The king of Halloween decides that this year he will do Christmas."),
    CatalogueFilm(
      "1994-06-24", "The Lion King", .adventure,
      "A young lion who ran from his father's death has to come back for his kingdom."),
    CatalogueFilm(
      "1994-10-28", "Stargate", .scienceFiction,
      "A linguist opens an ancient ring that leads to a desert on another world."),
    CatalogueFilm(
      "1994-11-18", "Star Trek Generations", .scienceFiction,
      "Two captains meet outside of time to stop a man who wants to stay there."),
    CatalogueFilm(
      "1995-06-30", "Apollo 13", nil,
      "On the way to the Moon a tank bursts, and getting home becomes the mission."),
    CatalogueFilm(
      "1995-08-16", "The Usual Suspects", nil,
      "One survivor tells the police how five crooks met in a line-up."),
    CatalogueFilm(
      "1995-11-22", "Toy Story", .adventure,
      "A cowboy doll finds that he has to share a boy, and a bedroom, with a spaceman."),
    CatalogueFilm(
      "1996-07-03", "Independence Day", .scienceFiction,
      "Ships as wide as cities park above the Earth, and do not come to talk."),
    CatalogueFilm(
      "1996-11-22", "Star Trek: First Contact", .scienceFiction,
      "A crew follows its worst enemy back to the day people first met the neighbours."),
    CatalogueFilm(
      "1997-05-09", "The Fifth Element", .scienceFiction,
      "A cab driver's fare turns out to be what the universe has been waiting for."),
    CatalogueFilm(
      "1997-05-23", "The Lost World: Jurassic Park", .scienceFiction,
      "A second island was left to its dinosaurs, until two teams land on it."),
    CatalogueFilm(
      "1997-07-02", "Men in Black", .scienceFiction,
      "A policeman joins the office that looks after visitors from elsewhere."),
    CatalogueFilm(
      "1997-07-11", "Contact", .scienceFiction,
      "A radio astronomer hears a message that holds the plans of a machine."),
    CatalogueFilm(
      "1997-10-24", "Gattaca", .scienceFiction,
      "A man with the wrong genes borrows better ones to get into space."),
    CatalogueFilm(
      "1997-11-07", "Starship Troopers", .scienceFiction,
      "School friends enlist in a war against insects, and the news is thrilled."),
    CatalogueFilm(
      "1998-06-05", "The Truman Show", nil,
      "A man finds out that his whole life has been on television."),
    CatalogueFilm(
      "1998-07-17", "The Mask of Zorro", .adventure,
      "An old swordsman teaches a young thief to carry on his name."),
    CatalogueFilm(
      "1998-12-11", "Star Trek: Insurrection", .scienceFiction,
      "Ordered to stand by while a people is moved, a captain disobeys."),
    CatalogueFilm(
      "1999-03-31", "The Matrix", .scienceFiction,
      "A programmer is offered the truth about the world, and a choice of pills."),
    CatalogueFilm(
      "1999-05-07", "The Mummy", .adventure,
      "Treasure hunters in Egypt read aloud from the one book they should not."),
    CatalogueFilm(
      "1999-05-19", "Star Wars: Episode I - The Phantom Menace", .scienceFiction,
      "Two knights on a trade dispute find a boy with unusual gifts."),
    CatalogueFilm(
      "1999-08-06", "The Iron Giant", .scienceFiction,
      "A boy in Maine makes friends with an enormous machine that fell from the sky."),
    CatalogueFilm(
      "1999-08-06", "The Sixth Sense", nil,
      "A child psychologist meets a boy who sees people others do not."),
    CatalogueFilm(
      "1999-12-25", "Galaxy Quest", .scienceFiction,
      "The washed-up actors of a space series are taken for the real thing."),
  ]
}
