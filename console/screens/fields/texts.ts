import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const contactFieldTexts = defineTextCatalogue(en, () => import('./fr.ts'))
