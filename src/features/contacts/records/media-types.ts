import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media types of documents without flags and red lists; bodies of theirs are read as JSON. */
export const contactModelMediaTypes = [
  'application/vnd.np6.experimental+json',
  'application/vnd.mperf.v8.model.v1+json',
]

/** Media types that ask for the list of what was deleted. */
export const deletionMediaTypes = ['application/vnd.np6.cm.v1', 'application/vnd.np6.cm.v1+json']

/** The first of these media types that a request accepts by name; undefined when it names none. */
export function findAcceptedMediaType(request: FastifyRequest, types: readonly string[]): string | undefined {
  const { accept: acceptHeader } = request.headers
  if (acceptHeader === undefined || acceptHeader === '*/*') return undefined
  const acceptedTypes = acceptHeader.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase())
  return types.find((type) => acceptedTypes.includes(type))
}

/** A hook that labels a good answer with the media type, of these, that was asked for. */
export function createMediaTypeHook(types: readonly string[]) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const type = findAcceptedMediaType(request, types)
    if (type !== undefined && reply.statusCode === 200) reply.header('content-type', type)
    return payload
  }
}
