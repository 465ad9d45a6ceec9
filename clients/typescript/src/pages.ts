/** An operation of the service: a method of the client. */
// biome-ignore lint/suspicious/noExplicitAny: the options of each operation are its own.
export type Operation = (options: any) => Promise<unknown>

/** The options of an operation. */
export type OptionsOf<Asked extends Operation> = NonNullable<Parameters<Asked>[0]>

/** What an operation answers. */
export type AnswerOf<Asked extends Operation> = Exclude<Awaited<ReturnType<Asked>>, undefined>

/** An item of the list that an operation answers. */
export type ItemOf<Asked extends Operation> = [Listed<Asked>] extends [never] ? unknown : Listed<Asked>

type Listed<Asked extends Operation> = Extract<Awaited<ReturnType<Asked>>, readonly unknown[]>[number]

/** What an operation answers when it is asked for all of it. */
export interface Whole<Data> {
  data: Data
  response: Response
}

/** The cursor of the next page, of the `Link` of this one (RFC 8288). */
export function nextOf({ headers }: Response): string | undefined {
  const link = headers.get('link')?.match(/<([^>]*)>\s*;[^,]*\brel="?next"?/)?.[1]
  return link === undefined ? undefined : (new URL(link, 'http://none').searchParams.get('after') ?? undefined)
}

/** The pages of a list, one after the other; `read` reads the one that begins at a cursor. */
export async function* pagesOf<Item>(
  read: (after: string | undefined) => Promise<Whole<Item[]>>,
): AsyncGenerator<Item[]> {
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { data, response } = await read(after)
    yield data
    after = nextOf(response)
  }
}
