import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { registerResource } from '../../http/resource/resource.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import {
  createCategory,
  deleteCategory,
  listCategories,
  loadCategory,
  lockCategory,
  updateCategory,
} from './categories.ts'
import { ActionCategory, ActionCategoryBody } from './category-schemas.ts'

export function categoryRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  registerResource<number, ActionCategoryBody, ActionCategory>(app, db, {
    path: '/categories',
    tag: 'categories',
    name: 'category',
    readId: parseInt32Id,
    schema: { shown: ActionCategory, body: ActionCategoryBody },
    operations: {
      list: { summary: 'List the categories', description: 'Returns the categories of actions, by ascending ID.' },
      create: {
        summary: 'Create a category',
        description: 'Creates a category and returns it. A name that is already taken is 409.',
        refusals: { 409: 'name-taken category-default' },
      },
      read: { summary: 'Get a category', description: 'Returns a category.' },
      update: {
        summary: 'Update a category',
        description: 'Changes the members of the body and returns the category. A name that is already taken is 409.',
        refusals: { 409: 'name-taken category-default' },
      },
      remove: {
        summary: 'Delete a category',
        description:
          'Deletes the category; its actions move to the default category, and their states do not change. The default category cannot be deleted.',
        refusals: { 409: 'name-taken category-default' },
      },
    },
    list: listCategories,
    create: (db, account, body) => inTransaction(db, (tx) => createCategory(tx, account, body, new Date(clock.now()))),
    read: loadCategory,
    update: updateCategory,
    remove: deleteCategory,
    lock: lockCategory,
  })
}
