import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { registerLinksRoute } from '../../http/resource/links.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import { parseActionId } from '../../lib/ids.ts'
import { FormBody, FormResource } from './form-schemas.ts'
import { createForm, deleteForm, listFormLinks, listForms, loadForm, lockForm, updateForm } from './forms.ts'

const formRefusals = { 409: 'name-taken field-unicity segment-dynamic' }

export function formRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  const resource: RestResource<number, FormBody, FormResource> = {
    path: '/forms',
    tag: 'forms',
    name: 'form',
    readId: parseActionId,
    schema: { shown: FormResource, body: FormBody },
    operations: {
      create: { refusals: formRefusals },
      update: { refusals: formRefusals },
      remove: { refusals: { 409: 'form-linked' } },
    },
    list: listForms,
    idOf: ({ id }) => parseActionId(id) ?? 0,
    create: (db, account, body) => createForm(db, account, body, new Date(clock.now())),
    read: loadForm,
    update: (tx, form, body) => updateForm(tx, form, body, new Date(clock.now())),
    remove: deleteForm,
    lock: lockForm,
  }
  registerResource(app, db, resource)
  registerLinksRoute(app, db, resource, listFormLinks)
}
