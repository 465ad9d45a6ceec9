/** `2026-05-01T06:00`: an instant as the clock of a zone shows it. */
export function toZonedLocalTime(at: string, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T').slice(0, 16)
}

/** The instant at which the clock of a zone shows a time; of one that is skipped, as much later as the gap is long. */
export function toUtcInstant(local: string, timeZone: string): string {
  const localAsUtcMs = Date.parse(`${local}:00Z`)
  // Tried by the offset of the time before it, then by that of what was found: clocks move by less than a day.
  const computeOffset = (instant: number): number =>
    Date.parse(`${toZonedLocalTime(new Date(instant).toISOString(), timeZone)}:00Z`) -
    Math.floor(instant / 60_000) * 60_000
  const earlierGuess = localAsUtcMs - computeOffset(localAsUtcMs - 86_400_000)
  const instantMs = localAsUtcMs - computeOffset(earlierGuess)
  return new Date(
    toZonedLocalTime(new Date(instantMs).toISOString(), timeZone) === local ? instantMs : earlierGuess,
  ).toISOString()
}
