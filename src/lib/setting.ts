/** One variable of the environment. */
export interface SettingDefinition<T> {
  /** The description shown in the table of docs/reference/settings.md. */
  help: string
  fallback: T
  /** Throws a plain Error that says what is wrong with the text. */
  read: (text: string) => T
  secret?: boolean
}

/** A reader of one kind of variables. */
export const defineTextSetting = (help: string, fallback: string): SettingDefinition<string> => ({
  help,
  fallback,
  read: (value) => value,
})

/** A reader of one kind of variables. */
export const defineOptionalSetting = (help: string, secret = false): SettingDefinition<string | undefined> => ({
  help,
  fallback: undefined,
  read: (value) => value,
  secret,
})

/** A reader of one kind of variables. */
export function defineIntegerSetting(
  help: string,
  fallback: number,
  [min, max]: [number, number],
): SettingDefinition<number> {
  const parseInteger = (value: string): number => {
    const integer = Number(value)
    if (!/^\d+$/.test(value) || integer < min || integer > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return integer
  }
  return { help, fallback, read: parseInteger }
}

/** A reader of one kind of variables. */
export function defineChoiceSetting<const T extends string>(
  help: string,
  fallback: T,
  words: readonly T[],
): SettingDefinition<T> {
  const parseChoice = (value: string): T => {
    const choice = words.find((candidate) => candidate === value)
    if (choice === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return choice
  }
  return { help, fallback, read: parseChoice }
}

/** A reader of one kind of variables. */
export function defineUrlSetting(help: string, fallback: string): SettingDefinition<string> {
  const parseUrl = (value: string): string => {
    const url = URL.parse(value)
    if (!url || !/^https?:$/.test(url.protocol))
      throw new Error('must be an http or https address such as https://mail.shop.example')
    return url.href.replace(/\/$/, '')
  }
  return { help, fallback, read: parseUrl }
}

/** A reader of one kind of variables. */
export const defineListSetting = (
  help: string,
  parseList: (text: string) => string[],
): SettingDefinition<string[] | undefined> => ({
  help,
  fallback: undefined,
  read: parseList,
})
