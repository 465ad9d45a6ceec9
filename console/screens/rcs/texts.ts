import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const rcsProfileTexts = defineTextCatalogue(en, () => import('./fr.ts'))
