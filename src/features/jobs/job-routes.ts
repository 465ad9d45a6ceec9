import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { PageQuery, sendList, sent } from '../../http/resource/list.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { readWords } from '../../lib/text/word-list.ts'
import { Job, jobStates } from './job-schemas.ts'
import { listJobs, readJob } from './jobs.ts'

/** The progress of work that goes on after its request was answered. */
export function jobRoutes(app: App, { db }: Context): void {
  app.get('/jobs', {
    config: { right: 'read' },
    schema: {
      tags: ['jobs'],
      summary: 'list jobs, newest first',
      querystring: Type.Object({
        ...PageQuery.properties,
        state: Type.Optional(Type.String({ description: `of ${jobStates.join(', ')}, separated by commas` })),
      }),
      response: { 200: sent(Type.Array(Job)) },
    },
    handler: (request, reply) => {
      const states = readWords('state', request.query.state, jobStates) ?? jobStates
      return sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          listJobs(db, request.account, states, page),
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? readUuid(value) : undefined),
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
      response: { 200: Job },
    },
    handler: async ({ account, params }) => {
      const id = readUuid(params.id)
      if (id === undefined) throw notFound('job', params.id)
      return readJob(db, account, id)
    },
  })
}
