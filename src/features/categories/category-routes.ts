import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { registerResource } from '../../http/resource.ts'
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
    create: (db, account, body) => createCategory(db, account, body, new Date(clock.now())),
    read: readCategory,
    update: updateCategory,
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
