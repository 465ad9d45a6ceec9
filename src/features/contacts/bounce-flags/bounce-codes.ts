/** The bounce flags by name, with their codes. */
export const bounceCodes = {
  validated: { code: 3, stops: false },
  soft: { code: 4, stops: false },
  hardDomain: { code: 51, stops: true },
  hardUser: { code: 52, stops: true },
  hardOther: { code: 53, stops: true },
  hardRules: { code: 54, stops: true },
  reportAsSpam: { code: 6, stops: true },
} as const

export type BounceName = keyof typeof bounceCodes
export type BounceCode = (typeof bounceCodes)[BounceName]['code']

const bounceCodeNames = Object.keys(bounceCodes) as BounceName[]

/** The names, for messages and documentation. */
export const bounceNames: readonly BounceName[] = bounceCodeNames

/** Codes of the flags that stop sends to their address. */
export const stoppingBounceCodes: readonly BounceCode[] = bounceCodeNames
  .filter((name) => bounceCodes[name].stops)
  .map((name) => bounceCodes[name].code)

/** The codes which the word `hard` stands for. */
export const hardBounceCodes: readonly BounceCode[] = [51, 52, 53, 54]

/** The name of a code; codes come from the database, which knows no other. */
export function toBounceName(code: number): BounceName {
  return bounceCodeNames.find((name) => bounceCodes[name].code === code) ?? 'hardOther'
}

/** The code of a name (in any case), of a number, or of its digits; undefined for anything else. */
export function parseBounceCode(rawType: unknown): BounceCode | undefined {
  const lowerCaseType = String(rawType).toLowerCase()
  const name = bounceCodeNames.find(
    (bounceName) =>
      bounceName.toLowerCase() === lowerCaseType || String(bounceCodes[bounceName].code) === lowerCaseType,
  )
  return name && bounceCodes[name].code
}
