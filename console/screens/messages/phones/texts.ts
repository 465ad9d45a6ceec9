import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const phonesTexts = defineTextCatalogue(en, () => import('./fr.ts'))
