const [BASE, T_MIN, T_MAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_CODE] = [36, 1, 26, 38, 700, 72, 128] as const
const PREFIX = 'xn--'

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1
  rest += Math.floor(rest / length)
  let bias = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** The value of a digit: letters are 0 to 25, digits 26 to 35; undefined for other characters. */
function parseDigit(character: string | undefined): number | undefined {
  if (character === undefined) return undefined
  const value = Number.parseInt(character, BASE)
  if (Number.isNaN(value)) return undefined
  return value < 10 ? value + 26 : value - 10
}

/** The characters of a Punycode label without its prefix (RFC 3492); undefined if it is none. */
function decodePunycode(label: string): string | undefined {
  const basicEnd = Math.max(label.lastIndexOf('-'), 0)
  const characters = Array.from(label.slice(0, basicEnd))
  let [code, index, bias] = [INITIAL_CODE as number, 0, INITIAL_BIAS as number]
  for (let at = basicEnd === 0 ? 0 : basicEnd + 1; at < label.length; index++) {
    const before = index
    for (let [weight, threshold] = [1, BASE]; ; threshold += BASE) {
      const digit = parseDigit(label[at++])
      if (digit === undefined) return undefined
      index += digit * weight
      const bound = Math.min(Math.max(threshold - bias, T_MIN), T_MAX)
      if (digit < bound) break
      weight *= BASE - bound
    }
    const length = characters.length + 1
    bias = adaptBias(index - before, length, before === 0)
    code += Math.floor(index / length)
    index %= length
    if (code > 0x10_ffff) return undefined
    characters.splice(index, 0, String.fromCodePoint(code))
  }
  return characters.join('')
}

/** An address or domain with its labels as people write them: `ann@xn--caf-dma.example` is `ann@café.example`. */
export function toUnicodeDomain(address: string): string {
  const start = address.lastIndexOf('@') + 1
  const labels = address.slice(start).split('.')
  const shownLabels = labels.map((label) =>
    label.toLowerCase().startsWith(PREFIX)
      ? (decodePunycode(label.slice(PREFIX.length).toLowerCase()) ?? label)
      : label,
  )
  return address.slice(0, start) + shownLabels.join('.')
}
