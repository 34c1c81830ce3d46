import './page.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcement } from '../../client/web/net/announcement.ts';

function listening() {
  const connection = new EventTarget();
  /** @type {string[]} */
  const told = [];
  const announcement = new Announcement(connection, (text) => told.push(text));
  /** @param {object} detail */
  const receive = (detail) => connection.dispatchEvent(new CustomEvent('message', { detail }));
  return {
    announcement,
    told,
    receive,
    announce: (/** @type {string} */ text) => receive({ t: 'announcement', text, ts: 1 }),
  };
}

test('an announcement is told once and stays until it is withdrawn', () => {
  const { announcement, told, receive, announce } = listening();
  receive({ t: 'pong', text: 'no' });
  assert.equal(announcement.text, '');
  announce('Restart at noon');
  announce('Restart at noon');
  assert.equal(announcement.text, 'Restart at noon');
  assert.deepEqual(told, ['Restart at noon']);
  announce('');
  assert.equal(announcement.text, '');
  assert.deepEqual(told, ['Restart at noon']);
});

test('what was dismissed stays away with the next greeting, and what is new is shown', () => {
  const { announcement, told, announce } = listening();
  announce('Restart at noon');
  announcement.dismiss();
  announce('Restart at noon');
  assert.equal(announcement.text, '');
  announce('Restart at one');
  assert.equal(announcement.text, 'Restart at one');
  announce('Restart at noon');
  assert.deepEqual(told, ['Restart at noon', 'Restart at one', 'Restart at noon']);
});
