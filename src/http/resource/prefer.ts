import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns true if the request prefers an immediate answer with a job (RFC 7240, 4.1). */
export function isAsyncPreferred({ headers }: FastifyRequest): boolean {
  return /(^|[,;\s])respond-async(?=$|[,;\s])/i.test([headers.prefer ?? ''].flat().join(','))
}

/** Seconds of `Prefer: wait` (RFC 7240, 4.3); undefined without it. */
export function readPreferredWaitSeconds({ headers }: FastifyRequest): number | undefined {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec([headers.prefer ?? ''].flat().join(','))?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Answers 202 with a job and where it is read; says so if that is what was preferred (RFC 7240, 3). */
export function sendAcceptedJob<Job extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  job: Job,
): Job {
  reply.code(202).header('location', `/jobs/${job.id}`)
  if (isAsyncPreferred(request)) reply.header('preference-applied', 'respond-async')
  return job
}
