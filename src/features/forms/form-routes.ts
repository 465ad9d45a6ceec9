import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { registerLinks } from '../../http/resource/links.ts'
import { type Resource, registerResource } from '../../http/resource/resource.ts'
import { readActionId } from '../../lib/ids.ts'
import { Form, FormBody } from './form-schemas.ts'
import { createForm, deleteForm, formLinks, listForms, lockForm, readForm, updateForm } from './forms.ts'

export function formRoutes(app: App, { db, clock }: Context): void {
  const resource: Resource<number, FormBody, Form> = {
    path: '/forms',
    tag: 'forms',
    name: 'form',
    readId: readActionId,
    schema: { shown: Form, body: FormBody },
    list: listForms,
    idOf: ({ id }) => readActionId(id) ?? 0,
    create: (db, account, body) => createForm(db, account, body, new Date(clock.now())),
    read: readForm,
    update: (db, account, id, body) => updateForm(db, account, id, body, new Date(clock.now())),
    remove: deleteForm,
    lock: lockForm,
  }
  registerResource(app, db, resource)
  registerLinks(app, db, resource, formLinks)
}
