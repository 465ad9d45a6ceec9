import type { Translator } from '../../../text/catalogue.ts'
import type en from '../en.ts'
import type { ApiBlockKind, ApiDesignBlock } from './shapes.ts'

const toRichText = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})

/** Initial content of a block of each kind. */
export function createDesignBlock(type: ApiBlockKind, t: Translator<typeof en>): ApiDesignBlock {
  switch (type) {
    case 'text':
      return { type, text: toRichText(t('newText')) }
    case 'heading':
      return { type, text: t('newHeading') }
    case 'image':
      return { type, src: '', alt: '' }
    case 'button':
      return { type, text: t('newButton'), href: '' }
    case 'spacer':
      return { type, height: 24 }
    case 'columns':
      return { type, columns: [50, 50], blocks: [[], []] }
    case 'header':
      return { type, name: '{{ account.name }}' }
    case 'footer':
      return { type, address: t('newAddress'), unsubscribe: t('newUnsubscribe') }
    case 'social':
      return { type, links: [{ name: 'LinkedIn', href: '' }] }
    case 'product':
      return {
        type,
        title: '{{ item.title }}',
        price: '{{ item.price }}',
        button: t('newButton'),
        image: '{{ item.image }}',
        href: '{{ item.url }}',
        repeat: { over: 'data.products', as: 'item' },
      }
    case 'html':
      return { type, html: '<p></p>' }
    default:
      return { type }
  }
}
