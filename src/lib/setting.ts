/** One variable of the environment. */
export interface SettingDefinition<T> {
  /** Shown in the table of docs/operations.md. */
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
  const read = (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
  return { help, fallback, read }
}

/** A reader of one kind of variables. */
export function defineChoiceSetting<const T extends string>(
  help: string,
  fallback: T,
  words: readonly T[],
): SettingDefinition<T> {
  const read = (value: string): T => {
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return word
  }
  return { help, fallback, read }
}

/** A reader of one kind of variables. */
export function defineUrlSetting(help: string, fallback: string): SettingDefinition<string> {
  const read = (value: string): string => {
    const url = URL.parse(value)
    if (!url || !/^https?:$/.test(url.protocol))
      throw new Error('must be an http or https address such as https://mail.shop.example')
    return url.href.replace(/\/$/, '')
  }
  return { help, fallback, read }
}

/** A reader of one kind of variables. */
export const defineListSetting = (
  help: string,
  read: (text: string) => string[],
): SettingDefinition<string[] | undefined> => ({
  help,
  fallback: undefined,
  read,
})
