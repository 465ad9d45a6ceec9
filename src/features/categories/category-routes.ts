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
      create: { refusals: { 409: 'name-taken category-default' } },
      update: { refusals: { 409: 'name-taken category-default' } },
      remove: { refusals: { 409: 'name-taken category-default' } },
    },
    list: listCategories,
    create: (db, account, body) => inTransaction(db, (tx) => createCategory(tx, account, body, new Date(clock.now()))),
    read: loadCategory,
    update: updateCategory,
    remove: deleteCategory,
    lock: lockCategory,
  })
}
