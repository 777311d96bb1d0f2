/**
 * The Python client: its own tests (`clients/python/tests`), with pytest, against a running service on the sample. The
 * package tests install the client into an empty folder, and run its README, the guides and its examples there.
 *
 * @ci it needs Python with httpx, pandas and pytest
 * @early it waits for a server and another runner
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PYTHON, pythonTests, pythonWithPackages } from '../support/clients/python.ts'

const python = await pythonWithPackages()

test('a Python without the needed packages is not used, and the tests are skipped with the names of the packages', async () => {
  assert.equal(await pythonWithPackages(['./no-such-program']), null)
  assert.equal(await pythonWithPackages(undefined, 'no_such_package'), null)
  assert.match(NO_PYTHON, /apt install python3-httpx/)
})

test('the Python client passes its tests, also when packed', { skip: python === null && NO_PYTHON }, async (t) => {
  const outcomes = await pythonTests(t, python!, ['tests'])
  const ofPackage = outcomes.filter((outcome) => outcome.test.startsWith('tests/test_package.py'))
  assert.ok(ofPackage.length >= 10, `${ofPackage.length} tests of the package`)
  assert.ok(outcomes.length - ofPackage.length > 100, `${outcomes.length} tests`)
})
