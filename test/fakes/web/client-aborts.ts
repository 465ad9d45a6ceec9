/** A handler of a fake server for which a client that goes away while its request is read is no failure. */
export function allowAborts<Request, Response>(
  handle: (request: Request, response: Response) => Promise<unknown>,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    try {
      await handle(request, response)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    }
  }
}
