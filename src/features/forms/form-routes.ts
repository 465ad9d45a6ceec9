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
      list: { summary: 'List the forms', description: 'Returns all forms of the account in ascending order of ID.' },
      create: {
        summary: 'Create a form',
        description:
          'Creates a form and returns it; `name` and `fields` are required. Texts that are left out get defaults in ' +
          'English and French. Recipients reach the form through a link in a message.',
        refusals: formRefusals,
      },
      read: { summary: 'Get a form', description: 'Returns a form with its texts and fields.' },
      update: {
        summary: 'Update a form',
        description:
          'Changes the members given and returns the form; `fields` replaces all fields. Links that were sent show the ' +
          'new version.',
        refusals: formRefusals,
      },
      remove: {
        summary: 'Delete a form',
        description:
          'Deletes a form; links that were sent lead to a page that says so. The answer is 409 while a campaign that is ' +
          'not finished links to it.',
        refusals: { 409: 'form-linked' },
      },
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
