import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mediaTexts = defineTextCatalogue(en, () => import('./fr.ts'))
