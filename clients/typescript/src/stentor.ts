import { errorOf } from './errors.ts'
import { createClient, createConfig } from './generated/client/index.ts'
import { Operations } from './generated/sdk.gen.ts'
import { documentsOf } from './lines.ts'
import { type AnswerOf, type ItemOf, type Operation, type OptionsOf, pagesOf, type Whole } from './pages.ts'
import { type RetryOptions, type SendOptions, sendingFetch } from './send.ts'
import { liveEvents, type StreamEvent, type StreamOptions } from './stream.ts'
import { type FileOptions, type FileSource, uploadingFetch } from './uploads.ts'

export interface StentorOptions extends RetryOptions {
  /** Where the service is: `https://stentor.example.com`. */
  url: string
  /** A key of an account, sent as `X-Key`. Without one, only what needs none is answered. */
  key?: string
  /** Instead of the `fetch` of the platform. */
  fetch?: typeof fetch
}

/** Items of a page, unless the caller says otherwise. */
const PAGE = 1000

/** The service, with a method for each of its operations, and what goes beyond one request. Made by `createStentor`. */
export class Stentor extends Operations {
  readonly #sending: SendOptions

  constructor({ url, key, ...retry }: StentorOptions) {
    const sending = { ...retry, fetch: retry.fetch ?? ((input, init) => fetch(input, init)) } satisfies SendOptions
    const config = {
      // Throws for what is no address, rather than with the first request.
      baseUrl: new URL(url).href.replace(/\/+$/, ''),
      fetch: sendingFetch(sending),
      headers: key === undefined ? {} : { 'x-key': key },
      responseStyle: 'data',
      throwOnError: true,
    } as const
    const client = createClient(createConfig(config))
    // Of an answer that was cut the failure is thrown.
    client.interceptors.error.use((error, response) => (response && !response.ok ? errorOf(response, error) : error))
    super({ client })
    this.#sending = sending
  }

  async #whole<Data>(operation: Operation, options: object): Promise<Whole<Data>> {
    const asked = { ...options, responseStyle: 'fields', throwOnError: true }
    return (await operation.call(this, asked)) as Whole<Data>
  }

  /** The pages of a list, one request each, read when they are asked for. `query.limit`: items of a page, 1,000 by default. */
  pages<Asked extends Operation>(operation: Asked, options?: OptionsOf<Asked>): AsyncGenerator<ItemOf<Asked>[]> {
    const { query, ...rest } = (options ?? {}) as { query?: object }
    return pagesOf<ItemOf<Asked>>((after) =>
      this.#whole(operation, { ...rest, query: { limit: PAGE, ...query, ...(after !== undefined && { after }) } }),
    )
  }

  /** The items of a list, read page by page. */
  async *items<Asked extends Operation>(operation: Asked, options?: OptionsOf<Asked>): AsyncGenerator<ItemOf<Asked>> {
    for await (const page of this.pages(operation, options)) yield* page
  }

  /**
   * What an operation answers as lines (NDJSON), in one request, each line as it arrives: a whole history, or the log of a webtask while it
   * runs. Throws a TypeError for an operation that answers no lines.
   */
  async *lines<Asked extends Operation>(operation: Asked, options?: OptionsOf<Asked>): AsyncGenerator<ItemOf<Asked>> {
    const { headers, ...rest } = (options ?? {}) as { headers?: Record<string, string> }
    const asked = { ...rest, headers: { ...headers, accept: 'application/x-ndjson' }, parseAs: 'stream' }
    const { data, response } = await this.#whole<ReadableStream<Uint8Array> | null>(operation, asked)
    if (!response.headers.get('content-type')?.includes('ndjson')) {
      await data?.cancel()
      throw new TypeError('This operation answers no lines: read its pages.')
    }
    if (data) yield* documentsOf<ItemOf<Asked>>(data)
  }

  /** Sends a file as the body of an operation that takes one, such as `uploadImportSource` and `executeImport`. */
  upload<Asked extends Operation>(
    operation: Asked,
    file: FileSource,
    options: Omit<OptionsOf<Asked>, 'body'> & FileOptions,
  ): Promise<AnswerOf<Asked>> {
    const { filename, type, ...rest } = options
    const given = { ...(filename !== undefined && { filename }), ...(type !== undefined && { type }) }
    const asked = { ...rest, fetch: uploadingFetch(file, given, this.#sending) }
    return operation.call(this, asked) as Promise<AnswerOf<Asked>>
  }

  /**
   * Events as they are published, each once, for as long as the caller reads: a lost connection is opened again, and goes on where it was.
   * Throws `StentorError` when the stream is refused for good.
   */
  events<Data = Record<string, unknown>>(options: StreamOptions = {}): AsyncGenerator<StreamEvent<Data>> {
    const { lastEventId: _, signal: __, ...query } = options
    // One try each: the stream opens itself again.
    const fetch = sendingFetch({ ...this.#sending, retries: 0 })
    const open = async (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> => {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      }
      const asked = { url: '/events/stream', query, headers, signal, fetch, parseAs: 'stream' } as const
      const { response } = await this.client.get({ ...asked, responseStyle: 'fields', throwOnError: true })
      return response
    }
    return liveEvents<Data>(open, options)
  }
}

/** The service at an address, for the owner of a key. */
export function createStentor(options: StentorOptions): Stentor {
  return new Stentor(options)
}
