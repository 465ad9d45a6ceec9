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
      summary: 'list jobs, newest first',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        state: Type.Optional(Type.String({ description: `of ${jobStates.join(', ')}, separated by commas` })),
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
      summary: 'read a job',
      description: 'Kept 30 days after its end.',
      params: Type.Object({ id: Type.String({ description: 'uuid, in either case' }) }),
      response: { 200: JobResource },
    },
    handler: async ({ account, params }) => {
      const id = parseUuid(params.id)
      if (id === undefined) throw notFoundProblem('job', params.id)
      return loadJob(db, account, id)
    },
  })
}
