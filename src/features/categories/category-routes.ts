import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { registerResource } from '../../http/resource/resource.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { createCategory, deleteCategory, listCategories, loadCategory, updateCategory } from './categories.ts'
import { ActionCategory, ActionCategoryBody } from './category-schemas.ts'

export function categoryRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  registerResource<number, ActionCategoryBody, ActionCategory>(app, db, {
    path: '/categories',
    tag: 'categories',
    name: 'category',
    readId: parseInt32Id,
    schema: { shown: ActionCategory, body: ActionCategoryBody },
    list: listCategories,
    create: (db, account, body) => inTransaction(db, (tx) => createCategory(tx, account, body, new Date(clock.now()))),
    read: loadCategory,
    update: (db, account, id, body) => inTransaction(db, (tx) => updateCategory(tx, account, id, body)),
    remove: deleteCategory,
    lock: (db, account, id) =>
      db
        .selectFrom('categories')
        .select('id')
        .where('account', '=', account)
        .where('id', '=', id)
        .forUpdate()
        .execute(),
  })
}
