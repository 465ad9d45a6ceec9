import type { Stage } from '../../stages/stage.ts'
import type { Scene } from '../scene.ts'

interface Made {
  list: number
  field: number
  form: string
}

let known: Promise<Made> | undefined

async function make({ call }: Stage): Promise<Made> {
  const values = ['Apples', 'Pears', 'Plums', 'Quinces'].map((value) => ({ value }))
  const list = (await call('POST', '/valueLists', { body: { name: 'Fruit', values } })).body.id
  const field = (
    await call('POST', '/fields', { body: { type: 'multipleSelectList', name: 'Likes', valueListId: list } })
  ).body.id
  const criteria = { all: [{ type: 'field', field, operator: 'in', value: ['Pears'] }] }
  await call('POST', '/segments', { body: { type: 'dynamic', name: 'Pear lovers', criteria } })
  const body = {
    name: 'Tastes',
    title: { en: 'What do you like?', fr: 'Qu’aimez-vous ?' },
    fields: [{ field, label: { en: 'Fruit', fr: 'Fruits' }, required: true }],
  }
  return { list, field, form: (await call('POST', '/forms', { body })).body.id }
}

const made = (stage: Stage): Promise<Made> => {
  known ??= make(stage)
  return known
}

export const scenes: Scene[] = [
  {
    name: 'forms-empty',
    path: '/forms',
    ready: (page) => page.getByText('No forms yet').waitFor(),
  },
  {
    name: 'fields',
    path: '/fields',
    prepare: async (stage) => {
      await made(stage)
      return undefined
    },
    ready: (page) => page.getByRole('link', { name: 'Likes' }).waitFor(),
  },
  {
    name: 'field',
    path: '/fields',
    prepare: async (stage) => `/fields/${(await made(stage)).field}`,
    ready: (page) => page.getByRole('link', { name: 'Pear lovers' }).waitFor(),
  },
  {
    name: 'value-list',
    path: '/value-lists',
    prepare: async (stage) => `/value-lists/${(await made(stage)).list}`,
    ready: (page) => page.getByRole('link', { name: 'Likes' }).waitFor(),
  },
  {
    name: 'form',
    path: '/forms',
    prepare: async (stage) => `/forms/${(await made(stage)).form}`,
    ready: (page) => page.getByLabel('Title · EN').waitFor(),
  },
]
