import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { readUuid } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { Job } from './job-schemas.ts'
import { readJob } from './jobs.ts'

/** The progress of work that goes on after its request was answered. */
export function jobRoutes(app: App, { db }: Context): void {
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
