"""What several people, agents and crashes do to one team, in any order."""
