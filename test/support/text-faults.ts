/** Faults that only a rendered text shows, as templates join its parts. */
const TEXT_FAULTS: readonly RegExp[] = [
  /(?<![.\w/\\])\b\w+\.\.(?![./\w])/,
  /(?<![.,\d])\b1 (?:seconds|minutes|hours|days|weeks|months|years|bytes|rows|lines|times|contacts|messages|emails|texts|fields|segments|workflows|runs|users|devices|events|links|clicks|opens|results|errors|items|files|keys)\b/,
  /\b(?:0|[2-9]|\d{2,}) byte\b/,
  /, too[.,;:!?)]/,
  /\bNaN\b|\[object Object\]/,
]

/** Finds faults of a text that people read, each with some of the text around it: two full stops, `1 seconds`, `0 byte`, a comma before "too". */
export function findTextFaults(text: string): string[] {
  return TEXT_FAULTS.flatMap((pattern) => {
    const match = pattern.exec(text)
    return match ? [text.slice(Math.max(0, match.index - 30), match.index + match[0].length + 20).trim()] : []
  })
}
