import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { declareStreamedAnswer, ListPageQuery, sendList } from '../../http/resource/list.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { parseWordList } from '../../lib/text/word-list.ts'
import { JobResource, jobStates } from './job-schemas.ts'
import { listJobs, loadJob } from './jobs.ts'

/** The progress of work that goes on after its request was answered. */
export function jobRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/jobs', {
    config: { right: 'read' },
    schema: {
      tags: ['jobs'],
      summary: 'List the jobs',
      description: 'Returns the jobs of the account, newest first. Jobs are kept for 30 days after their end.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        state: Type.Optional(
          Type.String({ description: `Only jobs in these states, separated by commas: ${jobStates.join(', ')}.` }),
        ),
      }),
      response: { 200: declareStreamedAnswer(Type.Array(JobResource)) },
    },
    handler: (request, reply) => {
      const states = parseWordList('state', request.query.state, jobStates) ?? jobStates
      return sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          listJobs(db, request.account, states, page),
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? parseUuid(value) : undefined),
      })
    },
  })
  app.get('/jobs/:id', {
    config: { right: 'read' },
    schema: {
      tags: ['jobs'],
      summary: 'Get a job',
      description:
        'Returns the state, progress and result of a job. Batches processed before a failure remain in effect. Jobs are kept for 30 days after their end.',
      params: Type.Object({ id: Type.String({ description: 'ID of the job, a UUID.' }) }),
      response: { 200: JobResource },
    },
    handler: async ({ account, params }) => {
      const id = parseUuid(params.id)
      if (id === undefined) throw notFoundProblem('job', params.id)
      return loadJob(db, account, id)
    },
  })
}
