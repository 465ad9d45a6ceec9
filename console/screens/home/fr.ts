import type { Translated } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  title: 'Accueil',
} satisfies Translated<typeof en>
