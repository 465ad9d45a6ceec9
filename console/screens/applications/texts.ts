import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const applicationTexts = defineTextCatalogue(en, () => import('./fr.ts'))
