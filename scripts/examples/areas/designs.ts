import { png } from '../../../test/support/files/pictures.ts'
import type { Story } from '../story.ts'

/** Parts of the shop's messages. */
export interface ShopDesigns {
  /** Address of the picture of a teapot. */
  picture: string
  category: number
}

const COLOURS = {
  background: '#f5f4f0',
  surface: '#ffffff',
  tinted: '#e9f2ef',
  text: '#22211d',
  muted: '#66635b',
  accent: '#14574b',
  onAccent: '#ffffff',
  line: '#e3dfd5',
}

const THEME = { width: 600, colours: COLOURS, fonts: { heading: 'serif', body: 'sans' }, radius: 6, dark: null }

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

const buildDesign = (picture: string) => ({
  version: 1,
  language: 'en',
  title: 'The autumn harvest is here',
  preheader: 'First pickings of oolong, and a tasting on 19 September.',
  theme: THEME,
  rows: [
    {
      columns: [100],
      blocks: [
        [
          { type: 'image', src: picture, alt: 'A teapot on a wooden table', width: 560 },
          { type: 'heading', text: 'Hello {{ contact.FirstName | default: "tea lover" }}', level: 1 },
          { type: 'text', text: paragraph('The first oolong of the autumn has arrived from the hills.') },
          { type: 'button', text: 'See the harvest', href: 'https://shop.harbourtea.example/autumn' },
        ],
      ],
    },
  ],
})

async function uploadPictures({ call }: Story): Promise<{ id: number; url: string }> {
  const teapot = { query: { name: 'teapot.png' }, body: await png(1120, 560), type: 'image/png' }
  const { id } = await call('uploadMedia', teapot)
  await call('listMedia', { query: { type: 'image', newest: true, limit: 2 } })
  const media = await call('getMedia', { path: { id } })
  const other = await call('uploadMedia', {
    query: { name: 'leaf.png' },
    body: await png(560, 280),
    type: 'image/png',
    shown: false,
  })
  await call('deleteMedia', { path: { id: other.id } })
  return { id, url: media.address }
}

async function saveDesigns({ call }: Story, picture: string): Promise<void> {
  const body = {
    name: 'Autumn harvest',
    description: 'The letter at the beginning of the season.',
    category: 'Seasons',
    type: 'design',
    design: buildDesign(picture),
  }
  const { id } = await call('createDesign', { body })
  await call('listDesigns')
  await call('getDesign', { path: { id } })
  await call('updateDesign', { path: { id }, body: { name: 'Autumn harvest 2026', category: 'Seasons' } })
  await call('listDesignLinks', { path: { id } })
  await call('listLibraryDesigns', { query: { language: 'en' } })
  await call('renderDesign', { body: { design: buildDesign(picture) } })
  const other = await call('createDesign', { body: { ...body, name: 'Spring harvest' }, shown: false })
  await call('deleteDesign', { path: { id: other.id } })
}

async function createCategories({ call }: Story): Promise<number> {
  const body = { name: 'Seasons', description: 'Letters about harvests and tastings' }
  const { id } = await call('createCategory', { body })
  await call('listCategories')
  await call('getCategory', { path: { id } })
  await call('updateCategory', { path: { id }, body: { name: 'Seasons', description: 'Letters about harvests' } })
  const other = await call('createCategory', { body: { name: 'Sales' }, shown: false })
  await call('deleteCategory', { path: { id: other.id } })
  return id
}

export async function tellOfDesigns(story: Story): Promise<ShopDesigns> {
  const { id, url } = await uploadPictures(story)
  await story.follow('downloadMedia', new URL(url).pathname)
  await saveDesigns(story, url)
  await story.call('listMediaLinks', { path: { id } })
  return { picture: url, category: await createCategories(story) }
}
