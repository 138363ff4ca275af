extension CatalogueFilm {
  /// The catalogue's films since 2000, oldest first.
  static let since2000: [CatalogueFilm] = [
    CatalogueFilm(
      "2000-05-05", "Gladiator", .adventure,
      "A betrayed general fights his way through the arenas to an emperor."),
    CatalogueFilm(
      "2001-11-02", "Amélie", nil,
      "A Paris waitress secretly repairs the lives of those around her."),
    CatalogueFilm(
      "2001-11-16", "Harry Potter and the Sorcerer's Stone", .adventure,
      "An orphan learns that he is a wizard, and famous for it."),
    CatalogueFilm(
      "2001-12-19", "The Lord of the Rings: The Fellowship of the Ring", .adventure,
      "Nine companions set out to carry a ring to the fire it was made in."),
    CatalogueFilm(
      "2002-05-16", "Star Wars: Episode II - Attack of the Clones", .scienceFiction,
      "A bodyguard falls in love while an army nobody ordered is delivered."),
    CatalogueFilm(
      "2002-06-14", "The Bourne Identity", nil,
      "A man pulled from the sea has no memory, but many skills."),
    CatalogueFilm(
      "2002-06-21", "Minority Report", .scienceFiction,
      "A policeman who arrests people for future murders sees his own name come up."),
    CatalogueFilm(
      "2002-09-20", "Spirited Away", .adventure,
      "A girl has to work in a bathhouse of spirits to win her parents back."),
    CatalogueFilm(
      "2002-12-13", "Star Trek: Nemesis", .scienceFiction,
      "A captain meets a younger copy of himself who grew up in the dark."),
    CatalogueFilm(
      "2002-12-18", "The Lord of the Rings: The Two Towers", .adventure,
      "The companions are parted, and a fortress waits for an army."),
    CatalogueFilm(
      "2003-05-30", "Finding Nemo", .adventure,
      "A timid clownfish crosses an ocean to find his son."),
    CatalogueFilm(
      "2003-07-09", "Pirates of the Caribbean: The Curse of the Black Pearl", .adventure,
      "A captain without a ship wants his own back from a crew that can't die."),
    CatalogueFilm(
      "2003-12-17", "The Lord of the Rings: The Return of the King", .adventure,
      "Two small friends climb the last mountain while everybody else buys them time."),
    CatalogueFilm(
      "2004-03-19", "Eternal Sunshine of the Spotless Mind", .scienceFiction,
      "A couple has each other erased, and one of them changes his mind midway."),
    CatalogueFilm(
      "2004-11-05", "The Incredibles", .adventure,
      "A family with powers and an office job is called back to work."),
    CatalogueFilm(
      "2005-05-19", "Star Wars: Episode III - Revenge of the Sith", .scienceFiction,
      "A frightened knight gives up all he has to keep one person alive."),
    CatalogueFilm(
      "2005-06-15", "Batman Begins", .adventure,
      "An orphaned heir trains abroad and comes home to turn fear on those who use it."),
    CatalogueFilm(
      "2005-12-09", "The Chronicles of Narnia: The Lion, the Witch and the Wardrobe", .adventure,
      "Four children walk through a wardrobe into a winter without end."),
    CatalogueFilm(
      "2006-10-20", "The Prestige", nil,
      "Two stage magicians ruin each other over one trick."),
    CatalogueFilm(
      "2007-08-10", "Stardust", .adventure,
      "A young man promises to bring back a fallen star, who turns out to have opinions."),
    CatalogueFilm(
      "2008-05-02", "Iron Man", .scienceFiction,
      "An arms maker builds a suit in a cave and then changes his trade."),
    CatalogueFilm(
      "2008-06-27", "WALL·E", .scienceFiction,
      "The last robot sweeping an empty Earth falls in love with a visitor."),
    CatalogueFilm(
      "2008-07-18", "The Dark Knight", .adventure,
      "A clown without a plan tests how far a city and its guardian will go."),
    CatalogueFilm(
      "2009-05-08", "Star Trek", .scienceFiction,
      "A reckless cadet and a careful one end up on the same bridge."),
    CatalogueFilm(
      "2009-05-29", "Up", .adventure,
      "A widower ties balloons to his house and takes off, with a stowaway."),
    CatalogueFilm(
      "2009-12-18", "Avatar", .scienceFiction,
      "A marine lives a second life among the people he was sent to move."),
    CatalogueFilm(
      "2010-07-16", "Inception", .scienceFiction,
      "Thieves who work in dreams are hired to leave something behind."),
    CatalogueFilm(
      "2010-10-01", "The Social Network", nil,
      "A student's website makes him millions of friends and costs him one."),
    CatalogueFilm(
      "2010-12-17", "Tron: Legacy", .scienceFiction,
      "A son follows an old signal into the machine that took his father."),
    CatalogueFilm(
      "2012-03-23", "The Hunger Games", .scienceFiction,
      "A girl takes her sister's place in a contest that one child survives."),
    CatalogueFilm(
      "2012-05-04", "The Avengers", .scienceFiction,
      "Six people who can't share a room have to save a city together."),
    CatalogueFilm(
      "2012-07-20", "The Dark Knight Rises", .adventure,
      "A broken recluse puts the cape on again for a city under siege."),
    CatalogueFilm(
      "2012-12-14", "The Hobbit: An Unexpected Journey", .adventure,
      "A homebody is hired as a burglar by thirteen dwarves."),
    CatalogueFilm(
      "2013-05-16", "Star Trek Into Darkness", .scienceFiction,
      "A hunt for a traitor leads a crew to a man who has been asleep for centuries."),
    CatalogueFilm(
      "2013-10-04", "Gravity", .scienceFiction,
      "Two astronauts lose their shuttle and have only each other's air."),
    CatalogueFilm(
      "2014-02-07", "The Lego Movie", .adventure,
      "A builder who always follows the instructions is taken for a chosen one."),
    CatalogueFilm(
      "2014-06-06", "The Fault in Our Stars", nil,
      "Two teenagers meet in a support group and read the same book."),
    CatalogueFilm(
      "2014-08-01", "Guardians of the Galaxy", .scienceFiction,
      "Five outlaws are the only ones near when a stone needs guarding."),
    CatalogueFilm(
      "2014-11-07", "Interstellar", .scienceFiction,
      "A farmer flies through a hole in space to find his children a home."),
    CatalogueFilm(
      "2015-05-15", "Mad Max: Fury Road", .adventure,
      "A driver turns her truck off the road with a tyrant's wives inside."),
    CatalogueFilm(
      "2015-10-02", "The Martian", .scienceFiction,
      "Left behind on Mars, a botanist starts with potatoes."),
    CatalogueFilm(
      "2015-12-18", "Star Wars: The Force Awakens", .scienceFiction,
      "A scavenger and a deserter find the droid that everybody wants."),
    CatalogueFilm(
      "2016-07-22", "Star Trek Beyond", .scienceFiction,
      "Stranded without a ship, a crew has to find each other first."),
    CatalogueFilm(
      "2016-11-11", "Arrival", .scienceFiction,
      "A linguist learns a language that changes how she remembers."),
    CatalogueFilm(
      "2016-12-16", "Rogue One: A Star Wars Story", .scienceFiction,
      "A handful of rebels go after the plans that everything later depends on."),
    CatalogueFilm(
      "2017-10-06", "Blade Runner 2049", .scienceFiction,
      "A hunter of replicants digs up a box that was never meant to exist."),
    CatalogueFilm(
      "2017-12-15", "Star Wars: The Last Jedi", .scienceFiction,
      "A pupil finds her teacher unwilling while the fleet runs out of fuel."),
    CatalogueFilm(
      "2018-05-25", "Solo: A Star Wars Story", .scienceFiction,
      "A young pilot finds a partner, a ship and a bad reputation."),
    CatalogueFilm(
      "2018-10-05", "A Star Is Born", nil,
      "A singer on his way down lifts up another on her way to the top."),
    CatalogueFilm(
      "2019-12-20", "Star Wars: The Rise of Skywalker", .scienceFiction,
      "An old enemy's voice sends the last of the knights across the galaxy."),
    CatalogueFilm(
      "2021-10-22", "Dune", .scienceFiction,
      "A duke's son is brought to the one desert planet that everybody fights over."),
    CatalogueFilm(
      "2022-03-04", "The Batman", .adventure,
      "In his second year in the cape, a detective follows riddles left for him by a killer."),
    CatalogueFilm(
      "2024-03-01", "Dune: Part Two", .scienceFiction,
      "Hidden among the desert's people, an heir becomes what he was afraid of."),
  ]
}
