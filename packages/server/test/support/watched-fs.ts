import * as fs from "node:fs/promises"

// Stands in for `node:fs/promises` in the plugin's own modules, and notes what they do with which path.

/** Each use of the file system, as `function path`, in order. */
export const touched: string[] = []

function noting<A extends unknown[], R>(name: string, use: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    touched.push(`${name} ${String(args[0])}`)
    return use(...args)
  }
}

export const appendFile = noting("appendFile", fs.appendFile)
export const lstat = noting("lstat", fs.lstat)
export const mkdir = noting("mkdir", fs.mkdir)
export const open = noting("open", fs.open)
export const readdir = noting("readdir", fs.readdir)
export const readFile = noting("readFile", fs.readFile)
export const realpath = noting("realpath", fs.realpath)
export const rename = noting("rename", fs.rename)
export const rm = noting("rm", fs.rm)
export const stat = noting("stat", fs.stat)
export const writeFile = noting("writeFile", fs.writeFile)
export const constants = fs.constants
