import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { registerResource } from '../../http/resource/resource.ts'
import { readIntId } from '../../lib/ids.ts'
import { createCategory, deleteCategory, listCategories, readCategory, updateCategory } from './categories.ts'
import { Category, CategoryBody } from './category-schemas.ts'

export function categoryRoutes(app: App, { db, clock }: Context): void {
  registerResource<number, CategoryBody, Category>(app, db, {
    path: '/categories',
    tag: 'categories',
    name: 'category',
    readId: readIntId,
    schema: { shown: Category, body: CategoryBody },
    list: listCategories,
    create: (db, account, body) => inTransaction(db, (tx) => createCategory(tx, account, body, new Date(clock.now()))),
    read: readCategory,
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
